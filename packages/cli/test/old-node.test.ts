// With an old version of Node, the command prints one sentence instead of a syntax error.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const command = fileURLToPath(import.meta.resolve('../src/nomen.ts'))
const pretending = (version: string) =>
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`

it.each(['20.20.2', '22.17.1', '23.11.1'])('with Node %s the command prints the required version', (version) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', pretending(version), command, 'serve'], {
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([2, '', `nomen: Nomen needs Node 22.18+ or 24+. This is Node ${version}.\n`])
})

it('with a supported Node the command runs', () => {
  expect(spawnSync(process.execPath, [command, '--version'], { encoding: 'utf8' }).status).toBe(0)
})
