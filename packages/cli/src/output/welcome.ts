/** What `nomen serve` says once it serves. */
import type { Service } from '@nomen/server'
import { redactedAddress } from '@nomen/server/internal'

interface Welcome {
  readonly address: string
  readonly hasConsole: boolean
  readonly database: string
  readonly databaseRead: string | undefined
  readonly accessLog: string
  readonly processes: number
  readonly issuer: string | undefined
}

/** Where the service is reached, and where it keeps what. */
export function welcome(
  service: Service,
  { address, hasConsole, database, databaseRead, accessLog, processes, issuer }: Welcome,
): string {
  const token = issuer === undefined ? '' : ' -H "Authorization: Bearer $TOKEN"'
  const first = service.operations.find(({ kind }) => kind === 'list')
  const reached = address.replace('//0.0.0.0', '//127.0.0.1')
  return [
    `${service.name} is served at ${address}`,
    ...(first ? [`  try         curl${token} '${reached}${first.path}?pageSize=2'`] : []),
    ...(hasConsole ? [`  console     ${reached}/console`] : []),
    `  docs        ${reached}/docs`,
    ...(issuer === undefined ? [] : [`  tokens of   ${issuer}`]),
    `  database    ${database}`,
    ...(databaseRead === undefined
      ? []
      : [`  replicas    ${databaseRead.includes(':') ? redactedAddress(databaseRead) : databaseRead}`]),
    `  access log  ${accessLog === '-' ? 'standard output' : accessLog}`,
    ...(processes > 1 ? [`  processes   ${processes}`] : []),
    'Stop with Ctrl+C.',
  ].join('\n')
}
