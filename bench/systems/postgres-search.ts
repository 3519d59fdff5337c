import pg from 'pg'

export interface ComparedRow {
  id: number
  brand: string | null
  /** All words and numbers. */
  text: string
}

const PER_INSERT = 5_000
const SCHEMA = `
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE TABLE parts (id int PRIMARY KEY, brand text, text text NOT NULL, words tsvector NOT NULL)`
const INDEXES = `
  CREATE INDEX parts_words ON parts USING gin (words);
  CREATE INDEX parts_trigrams ON parts USING gin (text gin_trgm_ops);
  ANALYZE parts`

/** Fills a database of its own, which is dropped at the end. */
export async function openPostgresSearch(url: string, rows: Iterable<ComparedRow>) {
  const name = `forecourt_bench_search_${process.pid}`
  await using stack = new AsyncDisposableStack()
  const admin = await connect(url, stack)
  await admin.query(`CREATE DATABASE ${name}`)
  stack.defer(async () => void (await admin.query(`DROP DATABASE ${name}`)))
  const own = new URL(url)
  own.pathname = `/${name}`
  const client = await connect(own.href, stack)
  await client.query(SCHEMA)
  for (const batch of toBatches(rows)) await insert(client, batch)
  await client.query(INDEXES)
  const running = stack.move()
  return {
    byWords: (words: readonly string[]) =>
      toQueries(words, (text) =>
        run(
          client,
          'words @@ plainto_tsquery($1::regconfig, $2)',
          'ts_rank(words, plainto_tsquery($1::regconfig, $2)) DESC',
          ['simple', text],
        ),
      ),
    byTrigrams: (words: readonly string[]) =>
      toQueries(words, (text) => {
        const patterns = text.split(' ').map((word) => `%${word}%`)
        return run(client, patterns.map((_, at) => `text ILIKE $${at + 1}`).join(' AND '), 'id', patterns)
      }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function connect(url: string, stack: AsyncDisposableStack): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  stack.defer(() => client.end())
  return client
}

function* toBatches(rows: Iterable<ComparedRow>): Generator<ComparedRow[]> {
  let batch: ComparedRow[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < PER_INSERT) continue
    yield batch
    batch = []
  }
  yield batch
}

const insert = (client: pg.Client, rows: readonly ComparedRow[]) =>
  client.query(
    `INSERT INTO parts SELECT id, brand, text, to_tsvector('simple', text)
     FROM unnest($1::int[], $2::text[], $3::text[]) AS row (id, brand, text)`,
    [rows.map(({ id }) => id), rows.map(({ brand }) => brand), rows.map(({ text }) => text)],
  )

function run(client: pg.Client, where: string, order: string, values: string[]) {
  return {
    page: () => client.query(`SELECT id FROM parts WHERE ${where} ORDER BY ${order} LIMIT 50`, values),
    total: () => client.query(`SELECT count(*) FROM parts WHERE ${where}`, values),
    brand: () => client.query(`SELECT brand, count(*) FROM parts WHERE ${where} GROUP BY brand`, values),
  }
}

function toQueries(words: readonly string[], search: (text: string) => ReturnType<typeof run>) {
  return {
    number: search('M7919').page,
    page: search(words.join(' ')).page,
    total: search('brake').total,
    brand: search('brake').brand,
  }
}
