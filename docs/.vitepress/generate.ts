/** Writes the generated parts of the documentation. `npm run docs:generate` runs it; a test fails if a page is stale. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiPages } from './reference/api.ts'
import { fillChanges, fillChecks, fillProblems, lintRules } from './reference/codes.ts'
import { commandSections, otherVariables, settingsTable } from './reference/commands.ts'
import { fieldTypeTable } from './reference/field-types.ts'
import { pageList } from './reference/index-page.ts'
import { metricTable } from './reference/metrics.ts'
import { replaceRegion } from './reference/region.ts'
import { root } from './site-path.ts'

/** Regions that are generated as a whole: the page, the name of the region, and its text. */
const regions: readonly (readonly [page: string, name: string, content: () => string | Promise<string>])[] = [
  ['docs/README.md', 'pages', pageList],
  ['docs/commands.md', 'commands', commandSections],
  ['docs/configuration.md', 'settings', settingsTable],
  ['docs/configuration.md', 'other variables', otherVariables],
  ['docs/declarations.md', 'field types', fieldTypeTable],
  ['docs/lint-rules.md', 'lint rules', lintRules],
  ['docs/metrics.md', 'metrics', metricTable],
]

/** Pages in which only some cells or lines are generated. */
const filled: readonly (readonly [page: string, fill: (text: string) => string])[] = [
  ['docs/problems.md', fillProblems],
  ['docs/check.md', fillChecks],
  ['docs/diff.md', fillChanges],
]

/** All pages with generated parts, by their path. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map(apiPages())
  const textOf = (page: string) => pages.get(page) ?? readFileSync(join(root, page), 'utf8')
  for (const [page, name, content] of regions) pages.set(page, replaceRegion(textOf(page), name, await content()))
  for (const [page, fill] of filled) pages.set(page, fill(textOf(page)))
  return pages
}

if (import.meta.main)
  for (const [page, text] of await generatedPages()) {
    mkdirSync(dirname(join(root, page)), { recursive: true })
    writeFileSync(join(root, page), text)
  }
