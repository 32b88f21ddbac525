((element (start_tag (attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name)))) @definition.block (#eq? @_id "id"))
((element (start_tag (tag_name) @_heading) (text) @name) @definition.section (#any-of? @_heading "h1" "h2" "h3" "h4" "title"))

(comment) @comment
(script_element (raw_text) @script)

((attribute (attribute_name) @_link (quoted_attribute_value (attribute_value) @import)) (#any-of? @_link "src" "href"))
