// What the README says to type, typed: its commands and its programs run as they stand.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAggregator } from '@nomen/testing/log-server/aggregator'
import { lokiProtocol } from '@nomen/testing/log-server/loki'
import { follow } from '@nomen/testing/markdown/follow'
import { Shell, until } from '@nomen/testing/markdown/shell'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from './nomen.ts'

/** A contract that somebody else may have written, and that keeps the conventions. */
const contract = readFileSync(join(root, 'apps/directory/src/openapi/directory.json'), 'utf8')
const tickets = `title\n${Array.from({ length: 7 }, (_, at) => `Printer ${at + 1}\n`).join('')}`

/** Shown by readme.test.ts and the test of the layers; and npm start and npm test, of which more below. */
const proven = ['nomen: noun', 'cli   apps', 'npm start']

describe('the README', () => {
  it('has commands and programs that run', async () => {
    const loki = await startAggregator(lokiProtocol())
    onTestFinished(() => loki.leave())
    await using followed = await follow('README.md', {
      installed: ['@nomen/core', '@nomen/server', '@nomen/cli', 'msw'],
      files: { 'package.json': '{ "type": "module" }', 'openapi.yaml': contract, 'tickets.csv': tickets },
      replace: { 'loki+http://127.0.0.1:3100': loki.to },
      isProven: ({ code }) => proven.some((begin) => code.startsWith(begin)),
    })
    await followed.run('node call.ts')
    const { status } = JSON.parse(await followed.run('curl http://127.0.0.1:3000/v1/ticket/7'))
    expect(status).toBe('CLOSED')
    const asked = "import './mock.ts'; console.log(await (await fetch('http://desk.test/v1/ticket/1')).text())"
    expect(JSON.parse(await followed.run(`node --input-type=module -e "${asked}"`))).toMatchObject({ title: 'Printer' })
  }, 120_000)

  it('begins with npm start, which serves the directory, and with npm test, which runs this', async () => {
    const own = mkdtempSync(join(tmpdir(), 'nomen-'))
    const environment = {
      PATH: `${process.env.PATH}`,
      HOME: own,
      PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
      ACCESS_LOG: join(own, 'access.log'),
    }
    const shell = new Shell(root, own, environment, '')
    onTestFinished(async () => {
      await shell.close()
      rmSync(own, { recursive: true, force: true })
    })
    // What npm start installs first has a test of its own; here it would take away what the other tests run with.
    const started = await shell.start('npm start --ignore-scripts')
    const address = await until(() => /is served at (\S+)/.exec(started.said())?.[1], 50_000, 'npm start serves')
    expect((await fetch(`${address}/user`)).status).toBe(200)
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(scripts.test).toContain('npm run suites')
  })
})
