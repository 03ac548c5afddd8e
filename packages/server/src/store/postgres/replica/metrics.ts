/** Metrics of read replicas. */
import type { MetricRegistry } from '../../../observe/metrics/registry.ts'
import type { ReadReplicas } from './replicas.ts'

export function measureReplicas(registry: MetricRegistry, replicas: Pick<ReadReplicas, 'figures'>): void {
  registry.add('nomen_replica_up', '1 if reads can use the replica, otherwise 0.', 'gauge', () =>
    replicas.figures.map(({ host, isUp }) => ({ labels: { replica: host }, value: isUp ? 1 : 0 })),
  )
  registry.add('nomen_replica_lag_bytes', 'Bytes of the log that the replica has not replayed.', 'gauge', () =>
    replicas.figures.flatMap(({ host, lagBytes }) =>
      lagBytes === undefined ? [] : [{ labels: { replica: host }, value: lagBytes }],
    ),
  )
}
