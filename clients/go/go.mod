module moothall

go 1.21
