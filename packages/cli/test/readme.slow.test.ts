// The commands and programs of the README and of docs/commands.md run unchanged.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAggregator } from '@nomen/testing/log-server/aggregator'
import { lokiProtocol } from '@nomen/testing/log-server/loki'
import { blocksOf, fileOf } from '@nomen/testing/markdown/block'
import { follow } from '@nomen/testing/markdown/follow'
import { Shell, waitFor } from '@nomen/testing/markdown/shell'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from './nomen.ts'

/** An OpenAPI document that follows the conventions. */
const contract = readFileSync(join(root, 'apps/directory/src/openapi/directory.json'), 'utf8')
const tickets = `title\n${Array.from({ length: 7 }, (_, index) => `Printer ${index + 1}\n`).join('')}`

/** Blocks that readme.test.ts or a test below covers. */
const proven = ['nomen: noun', 'npm start']
const installed = ['@nomen/core', '@nomen/server', '@nomen/cli', 'msw']
const declaration = blocksOf(readFileSync(join(root, 'README.md'), 'utf8')).find(
  (block) => fileOf(block)?.name === 'service.ts',
)

describe('the README', () => {
  it('has only commands and programs that run', async () => {
    await using followed = await follow('README.md', {
      installed,
      files: { 'package.json': '{ "type": "module" }' },
      isTestedElsewhere: ({ code }) => proven.some((begin) => code.startsWith(begin)),
    })
    const { results } = JSON.parse(await followed.run('curl http://127.0.0.1:3000/v1/ticket?status=CLOSED'))
    expect(results).toEqual([expect.objectContaining({ title: 'The printer is out of paper' })])
  })

  it('starts the directory with npm start, and all checks with npm test', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    const environment = {
      PATH: `${process.env.PATH}`,
      HOME: folder,
      PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
      ACCESS_LOG: join(folder, 'access.log'),
    }
    const shell = new Shell(root, folder, environment, '')
    onTestFinished(async () => {
      await shell.close()
      rmSync(folder, { recursive: true, force: true })
    })
    // Another test covers the installation of npm start; here it would replace the packages of running tests.
    const started = await shell.start('npm start --ignore-scripts')
    const address = await waitFor(() => /is running at (\S+)/.exec(started.output())?.[1], 50_000, 'npm start serves')
    expect((await fetch(`${address}/user`)).status).toBe(200)
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(scripts.test).toContain('npm run suites')
  })
})

it('runs the commands of docs/commands.md', async () => {
  const loki = await startAggregator(lokiProtocol())
  onTestFinished(() => loki.stopListening())
  const files = {
    'package.json': '{ "type": "module" }',
    'service.ts': `${declaration?.code}`,
    'openapi.yaml': contract,
    'tickets.csv': tickets,
  }
  await using followed = await follow('docs/commands.md', {
    installed,
    files,
    replace: { 'loki+http://127.0.0.1:3100': loki.to },
    // The usage of each command is generated.
    isTestedElsewhere: ({ code, language }) => language === 'text' || code.startsWith('nomen completion'),
  })
  const { pageInfo } = JSON.parse(await followed.run('curl http://127.0.0.1:3000/v1/ticket'))
  expect(pageInfo.numberOfRecords).toBe(7)
})
