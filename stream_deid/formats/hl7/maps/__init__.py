"""What each field is: the project's field map, and the maps of a site's interfaces."""
