(document (block_node (block_mapping (block_mapping_pair key: (_) @name) @definition.property)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair key: (_) @name) @definition.property))))))
(document (block_node (block_sequence (block_sequence_item (block_node (block_mapping . (block_mapping_pair value: (_) @name)))) @definition.block)))

(comment) @comment
