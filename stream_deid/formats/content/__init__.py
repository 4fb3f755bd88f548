"""Documents inside messages: text, markup (XHTML, HTML, XML) and RTF, cleaned in their own form."""
