/** The gates of a service, as its settings say: authentication and the rate limit. */
import type { CallerRecords } from './auth/caller-records.ts'
import { challenger } from './auth/token-problem.ts'
import type { Service } from './define/definition.ts'
import { type Admit, allowAll, assumedGate, bearerAuth, type Check } from './http/admit/gate.ts'
import { rateLimitGate } from './http/admit/rate-limit-gate.ts'
import type { FaultListener, Report } from './observe/fault-report.ts'
import type { Health } from './observe/health/health.ts'
import type { MetricRegistry } from './observe/metrics/registry.ts'
import { openAuthentication } from './on-demand.ts'
import type { Settings } from './settings.ts'
import type { RateLimitStore } from './store/store.ts'

/** Lets a request in, and checks the caller of a stream again, without the rate limit. */
type Gate = Record<'admit' | 'readmit', Admit>

export interface Gates {
  /** Authenticates requests as the settings say, after these checks. */
  readonly gate: (checks: readonly Check[]) => Gate
  /** The same for callers that code of this process sets. */
  readonly assumedGate: (checks: readonly Check[]) => Gate
}

interface GateDependencies {
  readonly store: RateLimitStore
  readonly records: CallerRecords | undefined
  readonly registry: MetricRegistry
  readonly health: Health
  readonly report: Report
  readonly logFault: Report
  readonly onFault: FaultListener
}

export async function openGates(
  service: Service,
  settings: Settings,
  { store, records, registry, health, report, logFault, onFault }: GateDependencies,
): Promise<Gates> {
  const authentication = settings.auth && (await openAuthentication(service, settings.auth, records, report))
  if (authentication) health.addPart('issuer', authentication.unavailableReason)
  const withRateLimit = rateLimitGate(settings, store, registry, logFault)
  const gateOf = (readmit: Admit): Gate => ({ admit: withRateLimit(readmit), readmit })
  return {
    gate: (checks) => gateOf(authentication ? bearerAuth({ ...authentication, checks, onFault }) : allowAll(checks)),
    assumedGate: (checks) => gateOf(assumedGate(checks, challenger(service.name))),
  }
}
