(from_instruction as: (image_alias) @name) @section.block
(from_instruction (image_spec) @name .) @section.block

(comment) @comment

(from_instruction (image_spec) @import)
