/** The message of `nomen serve` when the service listens. */
import type { Service } from '@nomen/server'
import { redactedUrl } from '@nomen/server/internal'

interface WelcomeOptions {
  readonly address: string
  readonly hasConsole: boolean
  readonly database: string
  readonly databaseRead: string | undefined
  readonly accessLog: string
  readonly processes: number
  readonly issuer: string | undefined
  /** Whether the tokens come from `nomen token`. */
  readonly isDev: boolean
}

/** Only a clone can lack the console: the published package contains it. */
const consoleIsMissing = 'not built: run "npm run console" in the clone'

/** The URLs of the service, its database and its log. */
export function welcome(
  service: Service,
  { address, hasConsole, database, databaseRead, accessLog, processes, issuer, isDev }: WelcomeOptions,
): string {
  const value = isDev ? '$(npx nomen token)' : '$TOKEN'
  const token = issuer === undefined ? '' : ` -H "Authorization: Bearer ${value}"`
  const first = service.operations.find(({ kind }) => kind === 'list')
  const base = address.replace('//0.0.0.0', '//127.0.0.1')
  return [
    `${service.name} is running at ${address}`,
    ...(first ? [`  try         curl${token} '${base}${first.path}?pageSize=2'`] : []),
    `  console     ${hasConsole ? `${base}/console` : consoleIsMissing}`,
    `  docs        ${base}/docs`,
    ...(issuer === undefined ? [] : [`  issuer      ${isDev ? 'nomen token (development)' : issuer}`]),
    `  database    ${database}`,
    ...(databaseRead === undefined
      ? []
      : [`  replicas    ${databaseRead.includes(':') ? redactedUrl(databaseRead) : databaseRead}`]),
    `  access log  ${accessLog === '-' ? 'standard output' : accessLog}`,
    ...(processes > 1 ? [`  processes   ${processes}`] : []),
    'Stop with Ctrl+C.',
  ].join('\n')
}
