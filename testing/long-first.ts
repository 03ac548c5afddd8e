/** The order of test files: the longest ones first, so that no worker runs one of them alone at the end. */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files of a measured run. An outdated order only makes a run longer. */
const longest = [
  'scripts/pack-try.slow.test.ts',
  'apps/console/test/accessibility.slow.test.ts',
  'apps/console/test/list.slow.test.ts',
  'packages/cli/test/new.slow.test.ts',
  'packages/conventions/test/check.slow.test.ts',
  'packages/cli/test/workers-together.slow.test.ts',
  'packages/cli/test/workers-death.slow.test.ts',
  'packages/cli/test/workers.slow.test.ts',
  'apps/directory/test/model-replica.slow.test.ts',
  'apps/directory/test/model.slow.test.ts',
  'packages/cli/test/new-from.slow.test.ts',
  'packages/cli/test/migrate.slow.test.ts',
  'packages/cli/test/backup.slow.test.ts',
  'packages/server/src/store/postgres/migrate/property.slow.test.ts',
  'packages/cli/test/load-stop.slow.test.ts',
  'packages/cli/test/linearizable.slow.test.ts',
  'packages/cli/test/load.slow.test.ts',
  'packages/cli/test/lint.slow.test.ts',
  'packages/server/test/postgres-unavailable.slow.test.ts',
  'packages/cli/test/load-fault.slow.test.ts',
  'packages/conventions/test/fault.slow.test.ts',
  'apps/console/test/record.slow.test.ts',
  'apps/console/test/keyboard.slow.test.ts',
  'docs/shell-blocks.slow.test.ts',
]

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((first, second) => this.#rank(first) - this.#rank(second))
  }

  /** The position in the list, then other slow files, then all others in the order of Vitest. */
  #rank({ moduleId, project }: TestSpecification): number {
    const position = longest.indexOf(relative(this.ctx.config.root, moduleId))
    if (position !== -1) return position
    return project.name === 'slow' ? longest.length : longest.length + 1
  }
}
