import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { layers } from './layers/table.ts'
import { breaches } from './layers.ts'

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true })
})

/** A repository that follows every rule, with these files added or replaced. */
function repository(files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'layers-'))
  roots.push(root)
  for (const [file, text] of Object.entries({ ...goodFiles, ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

const goodFiles: Record<string, string> = {
  'package.json': manifest('root', {}, { vitest: '*', autocannon: '*' }),
  'packages/core/package.json': JSON.stringify({
    name: '@nomen/core',
    exports: { '.': './src/index.ts', './client': { default: './src/client/index.ts' } },
  }),
  'packages/core/src/field/text.ts': 'export const text = 1',
  'packages/core/src/naming/kebab-case.ts': `import '../field/text.ts'`,
  'packages/core/src/wire/page.ts': 'export type Page = 1',
  'packages/core/src/wire/problem.ts': 'export type Problem = 1',
  'packages/core/src/noun/noun.ts': `import '../naming/kebab-case.ts'\nimport './check.ts'`,
  'packages/core/src/noun/check.ts': `import '../field/text.ts'`,
  'packages/core/src/resource/resource.ts': `import '../noun/noun.ts'`,
  'packages/core/src/operation/operation.ts': `import '../resource/resource.ts'\nexport type { Page } from '../wire/page.ts'`,
  'packages/core/src/client/index.ts': `import '../operation/operation.ts'`,
  'packages/core/src/openapi/index.ts': `import '../operation/operation.ts'`,
  'packages/core/src/index.ts': `export { text } from './field/text.ts'\nimport './operation/operation.ts'`,
  'packages/core/src/index.test.ts': `import { it } from 'vitest'\nimport './index.ts'\nimport './client/index.ts'`,
  'packages/server/package.json': manifest('@nomen/server', { '@nomen/core': '*', pg: '*', fastify: '*' }),
  'packages/server/src/index.ts': `import './service.ts'`,
  'packages/server/src/fastify.ts': `import 'fastify'\nimport './store/store.ts'\nimport '@nomen/core/client'`,
  'packages/server/src/store/postgres/store.ts': '',
  'packages/server/src/store/store.ts': `import 'pg'\nimport 'node:sqlite'\nimport '@nomen/core'`,
  'packages/cli/package.json': manifest('@nomen/cli', { '@nomen/server': '*' }),
  'packages/cli/src/nomen.ts': `import '@nomen/server'\nimport 'node:fs'`,
  'apps/directory/package.json': manifest('@nomen/directory', { '@nomen/core': '*' }),
  'apps/directory/src/index.ts': `import '@nomen/core'`,
  'bench/run.ts': `import '@nomen/server'\nimport 'autocannon'`,
}

function manifest(
  name: string,
  dependencies: Record<string, string>,
  devDependencies: Record<string, string> = {},
): string {
  return JSON.stringify({ name, exports: './src/index.ts', dependencies, devDependencies })
}

/** The findings for a repository with these files, one line each. */
function findingsOf(files: Record<string, string>): string[] {
  return breaches(repository(files)).map(({ location, imports, rule }) => `${location} imports ${imports}: ${rule}`)
}

describe('the layers check', () => {
  it('passes a repository that follows every rule', () => {
    expect(findingsOf({})).toEqual([])
  })

  it('exits with 1 and reports the file, line, rule and fix', () => {
    const root = repository({
      'packages/core/src/noun/noun.ts': `\nimport '../resource/resource.ts'`,
      'packages/core/src/resource/resource.ts': '',
    })
    const script = join(import.meta.dirname, 'layers.ts')
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
    expect(stderr).toMatch(
      /^packages\/core\/src\/noun\/noun\.ts:2 imports packages\/core\/src\/resource\/resource\.ts\n {2}rule: .+\n {2}fix: .+\n/,
    )
    expect(status).toBe(1)
    expect(spawnSync(process.execPath, [script, repository()]).status).toBe(0)
  })

  describe('for the direction of imports', () => {
    it.each([
      [
        'core',
        'packages/core/src/wire/problem.ts',
        `import type {} from '../noun/noun.ts'`,
        'core noun is above core wire',
      ],
      ['core', 'packages/core/src/field/text.ts', `import '../naming/plural.ts'`, 'core naming is above core field'],
      ['core', 'packages/core/src/noun/check.ts', `import type {} from '../api/api.ts'`, 'core api is above core noun'],
      ['core', 'packages/core/src/api/api.ts', `export * from '../index.ts'`, 'core index is above core api'],
      ['core', 'packages/core/src/api/api.ts', `export type * from '@nomen/core'`, 'core index is above core api'],
      ['core', 'packages/core/src/api/api.ts', `await import('../openapi/index.ts')`, 'core openapi is above core api'],
      [
        'core',
        'packages/core/src/api/api.ts',
        `type A = import('../openapi/index.ts').A`,
        'core openapi is above core api',
      ],
    ])('rejects an upward import in %s: %s with %s', (_, file, text, rule) => {
      const findings = findingsOf({
        'packages/core/src/naming/plural.ts': '',
        'packages/core/src/api/api.ts': '',
        [file]: text,
      })
      expect(findings.filter((line) => !line.includes('no import cycles'))).toEqual([expect.stringContaining(rule)])
    })

    it('rejects an upward import between packages', () => {
      const findings = findingsOf({
        'packages/server/package.json': manifest('@nomen/server', { '@nomen/directory': '*' }),
        'packages/server/src/fastify.ts': '',
        'packages/server/src/store/store.ts': `import '@nomen/directory'`,
      })
      expect(findings).toEqual([expect.stringContaining('apps/directory is above server store')])
    })

    it.each([
      [
        'packages/core/src/openapi/index.ts',
        `import '../client/index.ts'`,
        'core openapi and core client are siblings',
      ],
      ['packages/core/src/index.ts', `import './client/index.ts'`, 'core index and core client are siblings'],
      ['packages/core/src/client/index.ts', `import '../index.ts'`, 'core client and core index are siblings'],
      [
        'packages/server/src/store/sqlite/store.ts',
        `import '../postgres/store.ts'`,
        'server store/sqlite and server store/postgres are siblings',
      ],
      ['bench/run.ts', `import '@nomen/directory'`, 'bench and apps/directory are siblings'],
    ])('rejects a sibling import: %s with %s', (file, text, rule) => {
      expect(findingsOf({ [file]: text })).toEqual([expect.stringContaining(rule)])
    })

    it('allows the console to import only types and the readers of documents and files', () => {
      const findings = findingsOf({
        'apps/console/package.json': manifest('@nomen/console', { '@nomen/core': '*' }),
        'apps/console/src/usage.ts': `import type {} from '@nomen/core'\nexport type {} from '@nomen/core'`,
        'apps/console/src/document.ts': `import {} from '@nomen/core/openapi'\nimport {} from '@nomen/core/bulk'`,
        'apps/console/src/model.ts': `import {} from '@nomen/core'`,
      })
      expect(findings).toEqual([expect.stringMatching(/^apps\/console\/src\/model.ts:1 .* by HTTP alone/)])
    })

    it('rejects an app that imports another app', () => {
      const findings = findingsOf({
        'apps/payroll/package.json': manifest('@nomen/payroll', { '@nomen/directory': '*' }),
        'apps/payroll/src/index.tsx': `import '@nomen/directory'`,
      })
      expect(findings).toEqual([expect.stringContaining('apps/payroll and apps/directory are siblings')])
    })

    it('rejects code that imports a test', () => {
      const findings = findingsOf({
        'packages/core/test/sample.ts': '',
        'packages/core/src/api/api.ts': `import '../../test/sample.ts'`,
      })
      expect(findings).toEqual([expect.stringContaining('only tests import tests')])
    })

    it('allows a test to import any file of its package', () => {
      expect(
        findingsOf({
          'packages/core/src/field/text.test-d.ts': `import '../api.ts'`,
          'packages/core/src/api/api.ts': '',
        }),
      ).toEqual([])
    })
  })

  describe('for cycles', () => {
    it('rejects a cycle and prints it', () => {
      const findings = findingsOf({
        'packages/server/src/a.ts': `import './b.ts'`,
        'packages/server/src/b.ts': `import './c.ts'`,
        'packages/server/src/c.ts': `import './a.ts'`,
      })
      expect(findings).toHaveLength(1)
      expect(findings[0]).toMatch(
        /^packages\/server\/src\/a\.ts imports .+b\.ts\s+that imports .+c\.ts\s+that imports .+a\.ts: no import cycles/,
      )
    })

    it('rejects a cycle of type-only imports', () => {
      const findings = findingsOf({
        'packages/server/src/a.ts': `import type { B } from './b.ts'`,
        'packages/server/src/b.ts': `export type B = import('./a.ts').A`,
      })
      expect(findings).toEqual([expect.stringContaining('no import cycles, type-only ones included')])
    })

    it('rejects a cycle of tests, and a file that imports itself', () => {
      const findings = findingsOf({
        'packages/cli/test/a.ts': `import './b.ts'`,
        'packages/cli/test/b.ts': `import './a.ts'`,
        'packages/cli/src/nomen.ts': `import './nomen.ts'`,
      })
      expect(findings).toHaveLength(2)
    })

    it('prints one cycle for each group of files', () => {
      const findings = findingsOf({
        'packages/server/src/a.ts': `import './b.ts'`,
        'packages/server/src/b.ts': `import './c.ts'`,
        'packages/server/src/c.ts': `import './b.ts'`,
        'packages/server/src/x.ts': `import './y.ts'`,
        'packages/server/src/y.ts': `import './x.ts'`,
      })
      expect(findings).toHaveLength(2)
    })
  })

  describe('for packages', () => {
    it('rejects a relative import that leaves its package, in code and in tests', () => {
      const text = `import '../../core/src/index.ts'`
      const findings = findingsOf({ 'packages/server/src/index.ts': text, 'packages/server/test/a.ts': text })
      expect(findings).toEqual(Array(2).fill(expect.stringContaining('a relative import stays in packages/server')))
    })

    it('rejects an import that the manifest does not declare', () => {
      const findings = findingsOf({
        'apps/directory/src/index.ts': `import '@nomen/server'\nimport type {} from 'fast-check'\nimport '@scope/name/deep'`,
      })
      expect(findings).toEqual([
        'apps/directory/src/index.ts:1 imports packages/server/src/index.ts: apps/directory does not declare @nomen/server',
        'apps/directory/src/index.ts:2 imports fast-check: apps/directory does not declare fast-check',
        'apps/directory/src/index.ts:3 imports @scope/name/deep: apps/directory does not declare @scope/name',
      ])
    })

    it('allows development dependencies of the root only in tests', () => {
      const findings = findingsOf({
        'packages/server/src/a.test.ts': `import 'vitest'`,
        'packages/server/src/a.ts': `import 'vitest'`,
      })
      expect(findings).toEqual([expect.stringContaining('packages/server/src/a.ts:1 imports vitest')])
    })

    it.each([
      [
        'packages/server/src/store/a.ts',
        `import type {} from 'fastify'`,
        'only the Fastify adapter knows the framework',
      ],
      ['packages/server/src/plan.ts', `import 'fastify'`, 'only the Fastify adapter knows the framework'],
      ['packages/server/src/plan.ts', `import 'pg'`, 'only the store knows SQL'],
      ['packages/server/src/plan.ts', `import 'node:sqlite'`, 'only the store knows SQL'],
      ['packages/core/src/noun/noun.ts', `import 'node:fs'`, 'core runs anywhere'],
      ['packages/core/src/noun/noun.ts', `import 'fs'`, 'core runs anywhere'],
    ])('restricts some modules to some files: rejects %s with %s', (file, text, rule) => {
      expect(findingsOf({ [file]: text })).toEqual([expect.stringContaining(rule)])
    })

    it('rejects a package that is not in the table', () => {
      const findings = findingsOf({
        'packages/extra/package.json': manifest('@nomen/extra', {}),
        'packages/extra/src/index.ts': '',
      })
      expect(findings).toEqual([expect.stringContaining('it is not in a layer')])
    })
  })

  it('rejects a test file of more than 400 lines, including helpers of tests', () => {
    const lines = (count: number) => '// line\n'.repeat(count)
    const findings = findingsOf({
      'packages/core/src/api/api.ts': lines(500),
      'packages/core/src/api/api.test.ts': lines(401),
      'packages/cli/test/short.ts': lines(400),
      'packages/cli/test/long.ts': lines(401),
      'testing/long.ts': lines(401),
    })
    expect(findings.map((line) => line.split(' ')[0])).toEqual([
      'packages/cli/test/long.ts:401',
      'packages/core/src/api/api.test.ts:401',
      'testing/long.ts:401',
    ])
  })
})

it('match the layers in docs/architecture.md, from top to bottom', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/architecture.md'), 'utf8')
  const [, drawing = ''] = /^```\n(cli .*?)^```$/ms.exec(page) ?? []
  const depths = drawing
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, part = '', names = ''] = /^ *(?:└ )?((?:core|server): )?(.*?)(?: {4}.*)?$/.exec(line) ?? []
      return names.split(/ +/).map((name) => layers.findIndex((layer) => part.replace(': ', ' ') + name in layer))
    })
  expect(depths).not.toEqual([])
  expect(depths.flat()).not.toContain(-1)
  expect(depths.flat()).toEqual(depths.flat().sort((first, second) => first - second))
})
