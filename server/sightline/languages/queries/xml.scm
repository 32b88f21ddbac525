(document root: (element (STag . (Name) @name)) @definition.block)
(document root: (element (content (element (STag . (Name) @name)) @definition.block)))

(Comment) @comment
