# Plain comments at the left margin become documentation; section banners and licence lines do not.
/^\/\* SPDX/b
/^\/\* ---/b
/^\/\* ===/b
s|^/\* |/** |
s|^/\*$|/**|
s|^ \* \(dppair[_a-z]*\.h\) - | * \\file \1\n * |
