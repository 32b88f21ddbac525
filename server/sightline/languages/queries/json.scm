(document (object (pair key: (string) @name) @definition.property))
(document (object (pair value: (object (pair key: (string) @name) @definition.property))))

(comment) @comment
