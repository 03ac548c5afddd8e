/** The limits of the connection pool of a PostgreSQL database. */

/** Limits of the connection pool of a PostgreSQL database, for each process and each server. */
export interface DatabasePool {
  /**
   * The maximum number of connections.
   *
   * @default 12
   */
  readonly connections?: number
  /**
   * The maximum life of a connection, in milliseconds. It is then replaced, as soon as it is free.
   *
   * @default 1800000 (30 minutes)
   */
  readonly maxLifeMs?: number
  /**
   * Time after which an idle connection is closed, in milliseconds. Choose less than the idle timeout of firewalls and
   * load balancers in between.
   *
   * @default 60000
   */
  readonly idleTimeoutMs?: number
}

export type PoolLimits = Required<DatabasePool>

export function poolLimits({
  connections = 12,
  maxLifeMs = 30 * 60_000,
  idleTimeoutMs = 60_000,
}: DatabasePool = {}): PoolLimits {
  return { connections, maxLifeMs, idleTimeoutMs }
}
