(style_element (start_tag (tag_name) @name)) @definition.block

(comment) @comment
(script_element (raw_text) @script)
(frontmatter_js_block) @script
