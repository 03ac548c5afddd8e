/** Keeps figures of each database from run to run, and writes the tables and charts that are made of all of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseKind } from './contender.ts'
import { replacePart } from './markdown.ts'

export interface Rendered {
  /** Markdown. */
  readonly content: string
  /** SVG by the name of its file. */
  readonly charts: Readonly<Record<string, string>>
}

/**
 * Figures of a database take the place of earlier ones of the same; without figures, what was kept is rendered again.
 * What is not to be kept goes into the folder for temporary files instead of the README.
 */
export function keep<Figures extends { readonly database: DatabaseKind }>(
  name: 'peers' | 'growth',
  figures: Figures | undefined,
  isKept: boolean,
  render: (all: readonly Figures[]) => Rendered,
): void {
  const folder = isKept ? import.meta.dirname : join(tmpdir(), 'nomen-bench-quick')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.json`)
  const earlier: Partial<Record<DatabaseKind, Figures>> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const kept = figures ? { ...earlier, [figures.database]: figures } : earlier
  const all = Object.values(kept)
  if (all.length === 0) throw new Error(`There are no figures in ${file}. Run \`npm run bench:${name}\` first.`)
  const { content, charts } = render(all)
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
  for (const [chart, drawn] of Object.entries(charts)) writeFileSync(join(folder, chart), drawn)
  if (isKept) {
    const readme = join(folder, 'README.md')
    writeFileSync(readme, replacePart(readFileSync(readme, 'utf8'), name, content))
  }
  console.log(`${content}\n\nWritten into ${folder}.`)
}
