-- A sample.
CREATE TABLE shapes (id INTEGER PRIMARY KEY, name TEXT NOT NULL, area REAL DEFAULT 1.5);
INSERT INTO shapes (id, name, area) VALUES (1, 'round', 2.0), (2, 'square', NULL);
SELECT s.name, COUNT(*) AS total FROM shapes AS s
  LEFT JOIN shapes AS t ON s.id = t.id
  WHERE s.area > 1 AND s.name LIKE 'r%'
  GROUP BY s.name ORDER BY total DESC LIMIT 3;
UPDATE shapes SET area = area * 2 WHERE id = 1;
DELETE FROM shapes WHERE name = 'square';
CREATE VIEW large AS SELECT name, area FROM shapes WHERE area > 2;
WITH named AS (SELECT name FROM large) SELECT * FROM named AS n WHERE n.name <> '';
INSERT OR IGNORE INTO shapes VALUES (3, 'flat', -0.5) ON CONFLICT (id) DO NOTHING;
EXPLAIN QUERY PLAN SELECT -a.area, b.name COLLATE NOCASE FROM (shapes AS a JOIN large AS b ON a.name = b.name)
  NATURAL LEFT JOIN shapes WHERE a.area NOTNULL AND b.name GLOB 'r*' ORDER BY 1 LIMIT 1, 2;
