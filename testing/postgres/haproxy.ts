/** A real HAProxy in front of instances of a service, with the settings of the documentation. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { programPath } from '../debian.ts'
import { freePort } from '../free-port.ts'
import { unprivilegedUser } from './programs.ts'

export interface HaProxy {
  readonly base: string
  stop(): Promise<void>
}

export async function startHaProxy(ports: readonly number[]): Promise<HaProxy> {
  const program = programPath(['haproxy'], 'haproxy')
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'nomen-haproxy-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'haproxy.cfg')
  const servers = ports.map((server, index) => `  server s${index} 127.0.0.1:${server}`)
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 2
  retry-on conn-failure empty-response
frontend service
  bind 127.0.0.1:${port}
  default_backend service
backend service
  balance leastconn
  http-request disable-l7-retry unless METH_GET
  option httpchk
  http-check send meth GET uri /health/ready ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  default-server check inter 1s fall 1 rise 2
${servers.join('\n')}
`,
  )
  const child = spawn(program, ['-f', file], { ...unprivilegedUser, stdio: 'ignore' })
  const exit = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exit
    rmSync(folder, { recursive: true, force: true })
  }
  while (child.exitCode === null && !(await isListening(port))) await pause(20)
  if (child.exitCode === null) return { base: `http://127.0.0.1:${port}`, stop }
  await stop()
  throw new Error(`HAProxy ended with exit code ${child.exitCode}.`)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
