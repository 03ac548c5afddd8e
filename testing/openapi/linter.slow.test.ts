// Linters and parsers of others accept the documents of the directory. testing/external has those that are too large to install here.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openapi } from '@nomen/core/openapi'
import { access, directory } from '@nomen/directory'
import { validate } from '@readme/openapi-parser'
import { expect, it } from 'vitest'

const options = { servers: ['https://people.example.org'], issuer: 'https://login.example.org' }
const documents = { directory: openapi(directory, options), access: openapi(access, options) }
const names = ['directory', 'access'] as const

/** Fails in both tools: a parameter without a name. */
const invalid = {
  ...documents.directory,
  paths: { '/user': { get: { parameters: [{ in: 'query' }], responses: {} } } },
}

const redocly = join(fileURLToPath(import.meta.resolve('@redocly/cli/package.json')), '../bin/cli.js')

/** The rules of the recommended set that a document breaks, each as often as it is broken. */
async function redoclyRules(document: object): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nomen-redocly-'))
  try {
    const path = join(folder, 'openapi.json')
    await writeFile(path, JSON.stringify(document))
    const flags = ['lint', path, '--extends', 'recommended', '--format', 'json', '--max-problems', '1000']
    const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' }
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [redocly, ...flags], { env, maxBuffer: 2 ** 26 }, (_, stdout) => resolve(stdout))
    })
    return JSON.parse(output).problems.map(({ ruleId }: { ruleId: string }) => ruleId)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Redocly warns of `/user/by-email/{email}` beside `/user/{userId}/change`: a user ID is never the text "by-email". */
const isIntended = (rule: string) => rule === 'no-ambiguous-paths'

it.each(names)('Redocly has no finding in the document of the %s', async (name) => {
  const rules = await redoclyRules(documents[name])
  expect(rules.filter((rule) => !isIntended(rule))).toEqual([])
})

it.each(names)('the parser of ReadMe accepts the document of the %s', async (name) => {
  expect(await validate(structuredClone(documents[name]) as never)).toMatchObject({ valid: true, warnings: [] })
})

it('both find a fault', async () => {
  expect(await redoclyRules(invalid)).toContain('struct')
  expect(await validate(structuredClone(invalid) as never)).toMatchObject({ valid: false })
})
