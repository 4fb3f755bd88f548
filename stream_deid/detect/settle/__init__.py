"""From overlapping votes to disjoint, typed findings, in the order of the rooms.

boundaries  -> what models read over the edge of a name is cut off
filtering   -> votes that don't count are let go
fusion      -> those that do become disjoint findings
layout      -> rows, columns and turns of a chat tell more of them
propagation -> so does what was found once, wherever it stands again; and they are fused again
retyping    -> what each is, by its form and by what the same words are elsewhere

`agreement` goes through them.
"""
