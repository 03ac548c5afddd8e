/** The table of single changes of the base document, with the codes that each one has in both directions. */
import { alternativeRows } from './alternative.ts'
import { addedDiscriminatorRows } from './discriminator.ts'
import { noChangeRows } from './no-change.ts'
import { operationRows } from './operation.ts'
import { parameterRows } from './parameter.ts'
import { requestBodyRows } from './request-body.ts'
import { responseRows } from './response.ts'
import type { Row } from './row.ts'
import { securityRows } from './security.ts'

export const rows: readonly Row[] = [
  ...operationRows,
  ...parameterRows,
  ...requestBodyRows,
  ...responseRows,
  ...alternativeRows,
  ...addedDiscriminatorRows,
  ...securityRows,
  ...noChangeRows,
]
