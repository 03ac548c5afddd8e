/** How a service is opened: everything that may differ from place to place. */

import type { JwtSettings } from './auth/jwt-settings.ts'
import type { TrustProxy } from './http/admit/client-address.ts'
import type { Timeouts } from './http/node/node-server.ts'
import type { ConsoleSignIn } from './http/page/console.ts'
import type { ApplicationLog } from './observe/application-log.ts'
import type { Report } from './observe/fault-report.ts'
import type { RotationOptions } from './observe/log-rotation.ts'
import type { MetricFamily } from './observe/metrics/registry.ts'
import type { ShipSettings } from './ship/service.ts'
import type { MigrationReport } from './store/migrate/report.ts'
import type { BucketStore, RateLimit } from './store/rate-limit.ts'

export interface Settings {
  /** `sqlite:path/to/file.db`, `sqlite::memory:`, or `postgres://…`. */
  readonly database: string
  /**
   * Where reads go to, for a service on PostgreSQL: an address whose hosts are replicas of the database; `elsewhere` where only
   * other instances of the service have some.
   */
  readonly databaseRead?: string

  /** Which tokens are accepted. Absent: anyone may do everything. */
  readonly auth?: JwtSettings
  /** Whose word on where a request comes from counts; nobody's where left out. */
  readonly trustProxy?: TrustProxy
  /** Where others reach the service, for its documents: `https://api.example.com`. */
  readonly publicUrl?: string
  /** The path that the service is below, on a server of your own: `/api`. Other paths are 404. (default: none) */
  readonly prefix?: string
  /** Refuse requests whose Host is no name of this machine itself, as is right where anyone may call. */
  readonly isLocalOnly?: boolean
  /** Origins whose pages may read answers in a browser: `https://app.example.com`, or `*` for any; none where left out. */
  readonly corsOrigins?: readonly string[]

  /** The largest body taken, in bytes; 1 MiB where left out. */
  readonly bodyLimit?: number
  /** How many bytes of JSON the records of one list may be (default: 8 MiB). */
  readonly listLimit?: number
  /** How long clients may take, in milliseconds. */
  readonly timeouts?: Timeouts
  /** How long requests may wait for their turn before others are refused, in milliseconds; 2000 where left out, 0 for ever. */
  readonly waitLimit?: number
  /**
   * For how long a service that is told to close goes on serving, in milliseconds; 0 where left out. Meanwhile `/health/ready`
   * is 503, so that whoever spreads requests over several instances sends it no more.
   */
  readonly stopDelay?: number
  /** How many requests a user, or an address, may make; any number where left out. */
  readonly rateLimit?: RateLimit
  /** Where requests are counted that several processes take; the database where that can, this process else. */
  readonly rateLimitStore?: BucketStore

  /** Where the access log goes: a path, or `-` for standard output. Absent: nowhere. */
  readonly accessLog?: string
  /** When the access log is put aside, and how many old ones are kept; it grows without end unless given. */
  readonly accessLogRotation?: RotationOptions
  /** Where the lines of the access log are sent as well, by a thread of its own; nowhere unless given. */
  readonly ship?: ShipSettings
  /** Whether the service counts who calls which operation, and serves it at `/usage`; true where left out. */
  readonly usage?: boolean
  /** For how many days that is kept; 400 where left out. */
  readonly usageKeep?: number
  /** The folder of the built console, which is then served at `/console`. */
  readonly console?: string
  /** What the issuer knows the console by, and what it asks for; `nomen-console` and the scopes of all operations where left out. */
  readonly consoleSignIn?: ConsoleSignIn
  /** Told of the changes of the schema that were made at the start, where there were any. */
  readonly onMigration?: (report: MigrationReport) => void
  /**
   * Told of faults that no client can see: a bug, a hook that failed, an access log or usage that cannot be written, a replica
   * that is away.
   * The application log else.
   */
  readonly onFault?: Report
  /** Where events go that whoever runs the service should know of; JSON lines on standard error where left out. */
  readonly log?: ApplicationLog
  /**
   * Where several processes serve together: gives the metrics of all of them, those of this one included. Its own are
   * shown unless given.
   */
  readonly gatherMetrics?: () => Promise<readonly MetricFamily[]>
  /** Tell with every answer how long it took, in the header Server-Timing: for development. */
  readonly hasServerTiming?: boolean
}
