/** The settings of a service: everything that differs between deployments. */

import type { JwtSettings } from './auth/jwt-settings.ts'
import type { AccessLogFormat } from './http/access-entry.ts'
import type { TrustProxy } from './http/admit/client-address.ts'
import type { Timeouts } from './http/node/node-server.ts'
import type { ConsoleSignIn } from './http/page/console.ts'
import type { ConsoleBranding } from './http/page/console-branding.ts'
import type { ApplicationLog } from './observe/application-log.ts'
import type { Report } from './observe/fault-report.ts'
import type { RotationOptions } from './observe/log-rotation.ts'
import type { MetricFamily } from './observe/metrics/registry.ts'
import type { ShipSettings } from './ship/service.ts'
import type { DatabasePool } from './store/connection/database-pool.ts'
import type { MigrationReport } from './store/migrate/report.ts'
import type { BucketStore, RateLimit } from './store/rate-limit.ts'

/** Settings of `open`: database, authentication, limits, logs and metrics. */
export interface Settings {
  /**
   * The database: a SQLite file, an in-memory SQLite database, or a PostgreSQL URL.
   *
   * @example
   * database: 'sqlite:data/directory.db'
   * database: 'sqlite::memory:'
   * database: 'postgres://directory@db.example.com/directory'
   */
  readonly database: string
  /**
   * The URL of PostgreSQL itself, for migrations and bulk loads, if `database` is the URL of a pooler that shares sessions between
   * connections, such as PgBouncer in transaction mode.
   *
   * @example
   * databaseDirect: 'postgres://directory@db.example.com/directory'
   *
   * @default the same as `database`
   */
  readonly databaseDirect?: string
  /**
   * The URL of PostgreSQL read replicas, to which reads go. Set `elsewhere` if only other instances of the service use replicas.
   *
   * @example
   * databaseRead: 'postgres://directory@replica-1,replica-2/directory'
   *
   * @default reads go to `database`
   */
  readonly databaseRead?: string
  /**
   * Limits of the connection pool of PostgreSQL.
   *
   * @example
   * databasePool: { connections: 6, idleTimeoutMs: 30_000 }
   */
  readonly databasePool?: DatabasePool

  /**
   * JWT bearer authentication: the issuer and audience of accepted tokens.
   *
   * @example
   * auth: { issuer: 'https://login.example.com/realms/main', audience: 'directory' }
   *
   * @default no authentication: every caller may do everything
   */
  readonly auth?: JwtSettings
  /**
   * Proxies whose `Forwarded` and `X-Forwarded-For` headers are trusted: their number, or their addresses and networks.
   *
   * @example
   * trustProxy: ['10.0.0.0/8']
   *
   * @default none
   */
  readonly trustProxy?: TrustProxy
  /**
   * The public URL of the service, for its OpenAPI documents and webhook events. With `https:`, responses also have the header
   * `Strict-Transport-Security`.
   *
   * @example
   * publicUrl: 'https://api.example.com'
   *
   * @default documents have relative URLs
   */
  readonly publicUrl?: string
  /**
   * The URL of a page about problem codes. The `type` of a problem document is then this URL with the code as its fragment.
   *
   * @example
   * problemTypeUrl: 'https://docs.example.com/problems'
   *
   * @default URNs, such as `urn:nomen:problem:value-taken`
   */
  readonly problemTypeUrl?: string
  /**
   * The path below which the service is mounted on your own server. Other paths respond with 404.
   *
   * @example
   * prefix: '/api'
   *
   * @default no prefix
   */
  readonly prefix?: string
  /**
   * Reject requests whose Host header does not name this machine (DNS rebinding). Set it for a service without authentication,
   * and for development.
   *
   * @default false
   */
  readonly isLocalOnly?: boolean
  /**
   * CORS: origins whose pages may read responses in a browser; `*` allows all.
   *
   * @example
   * corsOrigins: ['https://app.example.com']
   *
   * @default none
   */
  readonly corsOrigins?: readonly string[]

  /**
   * Maximum size of a request body, in bytes.
   *
   * @default 1048576 (1 MiB)
   */
  readonly bodyLimit?: number
  /**
   * Maximum size of the records of one list, in bytes of JSON.
   *
   * @default 8388608 (8 MiB)
   */
  readonly listLimit?: number
  /** Timeouts of client connections, in milliseconds. */
  readonly timeouts?: Timeouts
  /**
   * Load shedding: if requests would wait longer than this, in milliseconds, new ones get 503. 0 means no limit.
   *
   * @default 2000
   */
  readonly waitLimitMs?: number
  /**
   * The maximum number of open event streams and long-polling requests for changes, for each user, or for each client address without
   * authentication.
   *
   * @default 100
   */
  readonly followerLimit?: number
  /**
   * Allows webhooks to private, loopback and link-local addresses, and without TLS. Set it for a receiver in your own network.
   *
   * @default false
   */
  readonly webhookPrivateTargets?: boolean
  /**
   * The maximum number of webhooks; in a service with tenants, of each tenant. A request to create another one gets 422.
   *
   * @default 1000
   */
  readonly webhookLimit?: number
  /**
   * Pauses a webhook when its deliveries have failed for this time, in days.
   *
   * @default 3
   */
  readonly webhookStopDays?: number
  /**
   * How long `close` keeps serving before it stops, in milliseconds. During this time `/health/ready` responds with 503, so that
   * load balancers stop sending requests.
   *
   * @default 0
   */
  readonly stopDelayMs?: number
  /**
   * Rate limit for each user, or for each client address without authentication.
   *
   * @default no limit
   */
  readonly rateLimit?: RateLimit
  /**
   * The store of the rate limit, if several processes share it.
   *
   * @default the database if it can share the limit (PostgreSQL), otherwise this process
   */
  readonly rateLimitStore?: BucketStore

  /**
   * The file of the access log; `-` is standard output.
   *
   * @example
   * accessLog: 'data/access.log'
   *
   * @default no access log
   */
  readonly accessLog?: string
  /**
   * The format of the access log: `combined`, or `extended` with the request ID and the duration in seconds at the end of
   * each line. Tools that read the combined format also read the extended one.
   *
   * @default 'combined'
   */
  readonly accessLogFormat?: AccessLogFormat
  /**
   * Rotation of the access log: the maximum size of a file, and the number of rotated files to keep.
   *
   * @example
   * accessLogRotation: { size: 100 * 1024 * 1024, keep: 14 }
   *
   * @default no rotation
   */
  readonly accessLogRotation?: RotationOptions
  /**
   * Ships the lines of the access log to a log service, such as Loki or OpenSearch, from a worker thread.
   *
   * @default lines are not shipped
   */
  readonly ship?: ShipSettings
  /**
   * Whether the service counts which application calls which operation, and serves the report at `/usage`.
   *
   * @default true
   */
  readonly usage?: boolean
  /**
   * How long usage counts are kept, in days.
   *
   * @default 400
   */
  readonly usageKeepDays?: number
  /**
   * The folder of the built console, which is served at `/console`.
   *
   * @default no console
   */
  readonly console?: string
  /**
   * Client ID and scopes with which the console signs in at the issuer.
   *
   * @default the client ID `nomen-console` and the scopes of all operations
   */
  readonly consoleSignIn?: ConsoleSignIn
  /**
   * Whether `/metrics` is served. Set it to false if `listenForMetrics` serves it on another port.
   *
   * @default true
   */
  readonly hasMetrics?: boolean
  /**
   * Title, accent color, logo and environment badge of the console.
   *
   * @example
   * consoleBranding: { title: 'People', accent: '#0b7285', environment: 'staging' }
   *
   * @default the name of the service, in indigo
   */
  readonly consoleBranding?: ConsoleBranding
  /** Called with the schema changes that were made at start, if there were any. */
  readonly onMigration?: (report: MigrationReport) => void
  /**
   * Called when another process has migrated the database, for a tool that reloads the service. The schema is checked every
   * 500 milliseconds, only if this is set.
   */
  readonly onSchemaChange?: () => void
  /**
   * Called for errors that no client can see: a bug, a failed hook, an access log or usage counts that cannot be written, an
   * unavailable replica, a database server that no longer accepts writes.
   *
   * @default the application log
   */
  readonly onFault?: Report
  /**
   * The application log, for events that operators should know: a logger of pino or Fastify, or an object with the same methods.
   *
   * @default pino on standard error: JSON lines, or text on a terminal
   */
  readonly log?: ApplicationLog
  /**
   * If several processes serve together: returns the metrics of all of them, including this one.
   *
   * @default the metrics of this process
   */
  readonly gatherMetrics?: () => Promise<readonly MetricFamily[]>
  /**
   * Add a `Server-Timing` header to every response, for development.
   *
   * @default false
   */
  readonly hasServerTiming?: boolean
}
