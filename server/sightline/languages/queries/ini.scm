(section (section_name (text) @name)) @definition.block
(setting (setting_name) @name) @definition.property

(comment) @comment
