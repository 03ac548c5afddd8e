/** The bar in place of the filters while records are selected: their number, and the changes for all of them. */
import { Button, Group, Menu, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { disabledFor, useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import { type Selection, useSelected } from '../list/use-selection.ts'
import { bulkFields } from '../model/record/bulk-field.ts'
import { changeTitle, type SharedChange, sharedChanges } from '../model/record/shared-change.ts'
import { linkCollectionOf, writeCollectionOf } from '../model/service/relation.ts'
import type { Collection } from '../model/service/service.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'
import type { Matches } from './selection-dialog.tsx'

const SelectionDialog = lazy(() => import('./selection-dialog.tsx'))
const FieldDialog = lazy(() => import('./field-dialog.tsx'))

interface SelectionBarProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly selection: Selection
  /** All records that match the filters, if they are more than the page; offered if the whole page is selected. */
  readonly matches: Matches | undefined
  /** The name of a record for people. */
  nameOf(id: string): string
}

export function SelectionBar({ collection, ids, selection, matches, nameOf }: SelectionBarProps) {
  const [change, setChange] = useState<SharedChange>()
  const [isChoosingField, setChoosing] = useState(false)
  const count = useSelected(selection, (selected) => selected.ids).length
  const changes = sharedChanges(collection)
  const hasFields = bulkFields(writeCollectionOf(collection)).length > 0
  const quickChanges = changes.filter(({ method }) => method === 'PATCH')
  const refusalOf = useRefusal()
  const disabledProps = (kind: 'update' | 'delete' | 'unlink') => {
    const owner = kind === 'unlink' ? (linkCollectionOf(collection) ?? collection) : writeCollectionOf(collection)
    return disabledFor(refusalOf(owner.api, owner.operations[kind]))
  }
  const removal = changes.find(({ method }) => method === 'DELETE')
  return (
    <>
      {count > 0 && (
        <section className="selection-bar" aria-label={text().bulk.selectedRecords}>
          <Group gap="xs">
            <Text size="sm" fw={500} aria-live="polite" className="selection-count">
              {text().bulk.selected(count)}
            </Text>
            {(quickChanges.length > 0 || hasFields) && (
              <ButtonMenu
                position="bottom-start"
                button={
                  <Button size="xs" variant="default" rightSection={<Icon name="down" size={12} />}>
                    {text().bulk.changeMenu}
                  </Button>
                }
              >
                {quickChanges.map((option) => (
                  <Menu.Item key={changeTitle(option)} {...disabledProps('update')} onClick={() => setChange(option)}>
                    {changeTitle(option)}
                  </Menu.Item>
                ))}
                {hasFields && (
                  <Menu.Item {...disabledProps('update')} onClick={() => setChoosing(true)}>
                    {text().bulk.otherField}
                  </Menu.Item>
                )}
              </ButtonMenu>
            )}
            {removal && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name={removal.kind === 'delete' ? 'trash' : 'link'} size={14} />}
                {...disabledProps(removal.kind === 'delete' ? 'delete' : 'unlink')}
                onClick={() => setChange(removal)}
              >
                {changeTitle(removal)} …
              </Button>
            )}
            <Button size="xs" variant="subtle" onClick={() => selection.set([])}>
              {text().bulk.clear}
            </Button>
          </Group>
        </section>
      )}
      {isChoosingField && (
        <Suspense>
          <FieldDialog
            collection={writeCollectionOf(collection)}
            onClose={() => setChoosing(false)}
            onChange={(next) => {
              setChoosing(false)
              setChange(next)
            }}
          />
        </Suspense>
      )}
      {change && (
        <Suspense>
          <SelectionDialog
            collection={collection}
            ids={ids}
            selection={selection}
            change={change}
            matches={change.kind === 'set' && selection.hasAll() ? matches : undefined}
            nameOf={nameOf}
            onClose={() => setChange(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
