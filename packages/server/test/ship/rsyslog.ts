/** A real rsyslog on a free port. It writes received messages to a file before it closes a connection. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { packageFile, programPath } from '@nomen/testing/debian'
import { freePort } from '@nomen/testing/free-port'
import { onTestFinished } from 'vitest'

export interface Rsyslog {
  readonly port: number
  /** The written messages, in the format of its template. */
  lines(): string[]
  kill(signal: NodeJS.Signals): void
  /** Waits until the process has ended, for any reason. */
  ended(): Promise<void>
  start(): Promise<void>
}

export interface Certificates {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** A folder that is gone when the test is. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-rsyslog-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** `template` is what is kept of a message, in the words of rsyslog. */
export async function startRsyslog(template = '%msg%', tls?: Certificates): Promise<Rsyslog> {
  const program = programPath(['rsyslogd'], 'rsyslog')
  if (tls) packageFile('/usr/lib/*/rsyslog/lmnsd_gtls.so', 'rsyslog-gnutls')
  const folder = temporaryFolder()
  const port = await freePort()
  const output = join(folder, 'output')
  const file = join(folder, 'rsyslog.conf')
  writeFileSync(file, configuration({ folder, port, output, template, tls }))
  let child: ChildProcess | undefined
  const start = async () => {
    const process = spawn(program, ['-n', '-f', file, '-i', join(folder, 'pid')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = process
    let output = ''
    process.stderr?.on('data', (part) => {
      output += part
    })
    while (!(await isOpen(port))) {
      if (process.exitCode !== null) throw new Error(`rsyslogd ended with ${process.exitCode}: ${output}`)
      await pause(20)
    }
  }
  const ended = async () => {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  onTestFinished(async () => {
    child?.kill('SIGKILL')
    await ended()
  })
  await start()
  return {
    port,
    lines: () => (existsSync(output) ? readFileSync(output, 'utf8').split('\n').slice(0, -1) : []),
    kill: (signal) => void child?.kill(signal),
    ended,
    start,
  }
}

interface Configuration {
  readonly folder: string
  readonly port: number
  readonly output: string
  readonly template: string
  readonly tls: Certificates | undefined
}

/** Without a queue between input and file, so that rsyslog has written every message that it has read. */
function configuration({ folder, port, output, template, tls }: Configuration): string {
  const secure = tls
    ? `global(DefaultNetstreamDriver="gtls" DefaultNetstreamDriverCAFile="${tls.ca}"
         DefaultNetstreamDriverCertFile="${tls.cert}" DefaultNetstreamDriverKeyFile="${tls.key}")`
    : ''
  const driver = tls ? 'StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="anon"' : ''
  return `
global(workDirectory="${folder}" maxMessageSize="128k")
${secure}
main_queue(queue.type="Direct")
module(load="imtcp" ${driver})
template(name="kept" type="string" string="${template}\\n")
ruleset(name="keep" queue.type="Direct") { action(type="omfile" file="${output}" template="kept") }
input(type="imtcp" address="127.0.0.1" port="${port}" ruleset="keep")
`
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** An authority, and a certificate of it for 127.0.0.1 and localhost. */
export function certificates(): Certificates {
  const folder = temporaryFolder()
  const [ca, caKey, cert, key, request] = ['ca.pem', 'ca.key', 'cert.pem', 'cert.key', 'request.pem'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string]
  const names = join(folder, 'names')
  writeFileSync(names, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  const elliptic = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...elliptic, '-keyout', caKey, '-out', ca, '-days', '2', '-subj', '/CN=authority')
  openssl('req', ...elliptic, '-keyout', key, '-out', request, '-subj', '/CN=localhost')
  const signing = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', '2', '-extfile', names]
  openssl('x509', '-req', '-in', request, '-out', cert, ...signing)
  return { ca, cert, key }
}

function openssl(...parts: string[]): void {
  const { status, stderr } = spawnSync(programPath(['openssl'], 'openssl'), parts, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl ${parts[0]}: ${stderr}`)
}
