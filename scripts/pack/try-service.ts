/** Serves a project with the installed command, calls it with its client and checks it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const command = 'node_modules/@nomen/cli/dist/nomen.js'
const consolePath = 'node_modules/@nomen/cli/static/console'

/** `program` is the Node that runs all of it. */
export async function tryService(project: string, program: string): Promise<void> {
  const service = spawn(program, [command, 'serve', '--port', '0', '--database', 'sqlite::memory:'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'exit')
  try {
    const base = await addressOf(service.stdout.setEncoding('utf8'))
    const run = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
      execFileSync(program, words, { cwd: project, encoding: 'utf8', env: { ...process.env, ...environment } })
    const called = run([join('src', 'call.ts')], { BASE_URL: base })
    expectText(called, '4 in all, the latest:')
    expectText(run([command, 'check', base, '--write']), ' 0 failed')
    for (const path of ['/docs', ...(existsSync(join(project, consolePath)) ? ['/console'] : [])]) {
      const { status } = await fetch(`${base}${path}`)
      if (status !== 200) throw new Error(`${base}${path} answers ${status}.`)
    }
  } finally {
    service.kill('SIGTERM')
  }
  const [code, signal] = await ended
  if (code !== 0) throw new Error(`nomen serve ended with ${code ?? signal} when it was told to stop.`)
}

async function addressOf(output: AsyncIterable<string>): Promise<string> {
  let said = ''
  for await (const part of output) {
    said += part
    const address = /is served at (\S+)\n/.exec(said)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`nomen serve ended without saying where it serves: ${said}`)
}

function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`"${part}" is not in:\n${text}`)
}
