// Spectral has no finding in the documents of the directory. testing/openapi/linter.slow.test.ts has smaller tools.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenApiOptions, openapi } from '@nomen/core/openapi'
import { access, directory } from '@nomen/directory'
import { expect, it } from 'vitest'
import { dist, writeDocument } from './generate.ts'

const apis = { directory, access }
const names = ['directory', 'access'] as const
const servers = ['https://people.example.org']

/** The rules of `spectral:oas` that a document breaks. */
async function rulesBroken(name: string, document: object): Promise<string[]> {
  const path = await writeDocument(`spectral-${name}`, document)
  const ruleset = join(dist, 'spectral.yaml')
  await writeFile(ruleset, 'extends: ["spectral:oas"]\n')
  const command = join(import.meta.dirname, 'node_modules/@stoplight/spectral-cli/dist/index.js')
  const output = await new Promise<string>((resolve) => {
    const flags = [command, 'lint', path, '--ruleset', ruleset, '--format', 'json', '--quiet']
    execFile(process.execPath, flags, { maxBuffer: 2 ** 26 }, (_, stdout) => resolve(stdout))
  })
  const findings: { code: string; path: string[] }[] = JSON.parse(output)
  return [...new Set(findings.map(({ code }) => code))]
}

const documentOf = (name: (typeof names)[number], options: OpenApiOptions) =>
  openapi(apis[name], { servers, ...options })

it.each(names)('has no finding in the document of the %s', async (name) => {
  expect(await rulesBroken(name, documentOf(name, {}))).toEqual([])
})

it.each(names)(
  'accepts the document of the %s with tokens, except scopes, which it knows only for OAuth 2.0',
  async (name) => {
    const document = documentOf(name, { issuer: 'https://login.example.org' })
    expect(await rulesBroken(`${name}-secured`, document)).toEqual(['oas3-operation-security-defined'])
  },
)

it('finds a fault', async () => {
  const { info: _, ...invalid } = documentOf('directory', {})
  expect(await rulesBroken('invalid', invalid)).toContain('oas3-schema')
})
