// The examples in JSDoc comments and on pages compile. One run of the compiler checks all of them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entryPoints } from '../scripts/documentation/entry-points.ts'
import { examplesIn, importsFor, type NameSource, typeErrors } from '../scripts/documentation/examples.ts'
import { exportsOf } from '../scripts/documentation/exports.ts'
import { pagesWithBlocks } from './snippets/pages.ts'

const root = join(import.meta.dirname, '..')
const samples = join(root, 'scripts/documentation/samples.ts')
const sources: readonly NameSource[] = [...entryPoints, { name: samples, file: samples }]
  .filter(({ name }) => !name.endsWith('/internal'))
  .map(({ name, file }) => ({ name, exports: exportsOf(file) }))
const sourcesNamed = (...names: readonly string[]) =>
  names.flatMap((name) => sources.filter((source) => source.name === name))

// One run of the compiler takes minutes on a busy machine.
it('has examples that compile', { timeout: 600_000 }, async () => {
  const files = { ...commentExamples(), ...pageExamples() }
  expect(Object.keys(files).length).toBeGreaterThan(150)
  expect(await typeErrors(files)).toBe('')
})

function commentExamples(): Readonly<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const { name: entry, file } of entryPoints) {
    if (entry.endsWith('/internal')) continue
    const folder = entry.replaceAll(/\W+/g, '-').slice(1)
    files[`${folder}/service.ts`] = `export { directoryService as default } from '${samples}'\n`
    files[`${folder}/directory.ts`] = `export { directory } from '${samples}'\n`
    const usable = sourcesNamed(entry, samples, '@nomen/core', '@nomen/server')
    for (const { name, comment } of exportsOf(file))
      for (const [index, example] of examplesIn(comment).entries())
        files[`${folder}/${name}-${index}.ts`] = moduleOf(example, usable)
  }
  return files
}

/** Examples that need packages which the repository does not have. */
const notInstalled = /from '@opentelemetry\/sdk-node'/

function pageExamples(): Readonly<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const { page, blocks } of pagesWithBlocks())
    for (const { language, code, line } of blocks) {
      if (language !== 'ts' || notInstalled.test(code)) continue
      const folder = page.replaceAll(/\W+/g, '-')
      files[`${folder}/directory.ts`] = "export { directory } from '@nomen/directory'\n"
      files[`${folder}/desk.ts`] = "export { directory as desk } from '@nomen/directory'\n"
      files[`${folder}/line-${line}.ts`] = moduleOf(code, [
        ...contextsOf(page),
        ...sourcesNamed('@nomen/core', '@nomen/server'),
      ])
    }
  return files
}

function moduleOf(code: string, usable: readonly NameSource[]): string {
  return `${importsFor(code, usable)}\n${code}\nexport {}\n`
}

/** The context of the page, and the general one. */
function contextsOf(page: string): readonly NameSource[] {
  return [page.replace(/^docs\/|\.md$/g, ''), 'general'].flatMap((name) =>
    globSync(`docs/snippets/${name}.ts`, { cwd: root }).map((file) => ({
      name: join(root, file),
      exports: namesIn(readFileSync(join(root, file), 'utf8')),
    })),
  )
}

/** The names that a context exports, also from packages. */
function namesIn(source: string): NameSource['exports'] {
  const lists = [...source.matchAll(/^export \{([^}]+)\}/gm)].flatMap(([, names = '']) => names.split(','))
  const declared = [...source.matchAll(/^export (?:declare )?((?:const|type) \w+)/gm)].map(([, name = '']) => name)
  return [...lists, ...declared].map((text) => ({
    name: `${text.trim().split(' ').at(-1)}`,
    isType: text.trim().startsWith('type '),
  }))
}
