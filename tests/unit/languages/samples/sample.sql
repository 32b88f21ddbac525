-- People.
CREATE TABLE users (
  id INT PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE INDEX idx_users_name ON users (name);
CREATE VIEW active_users AS SELECT * FROM users WHERE active = 1;

CREATE FUNCTION add(a INT, b INT) RETURNS INT AS $$ SELECT a + b; $$ LANGUAGE sql;

SELECT name FROM users JOIN orders ON users.id = orders.user_id;
INSERT INTO users VALUES (1, 'x');
