/** The bar in place of the filters while records are selected: their number, and the changes for all of them. */
import { Button, Group, Menu, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { text } from '../language/language.ts'
import type { Chosen } from '../list/use-chosen.ts'
import { changeTitle, type SharedChange, sharedChanges } from '../model/record/shared-change.ts'
import { linkCollectionOf, writeCollectionOf } from '../model/service/relation.ts'
import type { Collection } from '../model/service/service.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'
import { disabledFor, useRefusal } from '../wire/use-refusal.ts'

const ChosenDialog = lazy(() => import('./chosen-dialog.tsx'))

interface ChosenBarProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly chosen: Chosen
  /** The name of a record for people. */
  nameOf(id: string): string
}

export function ChosenBar({ collection, ids, chosen, nameOf }: ChosenBarProps) {
  const [change, setChange] = useState<SharedChange>()
  const changes = sharedChanges(collection)
  const quick = changes.filter(({ method }) => method === 'PATCH')
  const refusalOf = useRefusal()
  const refused = (kind: 'update' | 'delete' | 'unlink') => {
    const owner = kind === 'unlink' ? (linkCollectionOf(collection) ?? collection) : writeCollectionOf(collection)
    return disabledFor(refusalOf(owner.api, owner.operations[kind]))
  }
  const removal = changes.find(({ method }) => method === 'DELETE')
  return (
    <>
      {chosen.ids.length > 0 && (
        <section className="chosen-bar" aria-label={text().bulk.selectedRecords}>
          <Group gap="xs">
            <Text size="sm" fw={500} aria-live="polite" className="chosen-count">
              {text().bulk.selected(chosen.ids.length)}
            </Text>
            {quick.length > 0 && (
              <ButtonMenu
                position="bottom-start"
                button={
                  <Button size="xs" variant="default" rightSection={<Icon name="down" size={12} />}>
                    {text().bulk.changeMenu}
                  </Button>
                }
              >
                {quick.map((option) => (
                  <Menu.Item key={changeTitle(option)} {...refused('update')} onClick={() => setChange(option)}>
                    {changeTitle(option)}
                  </Menu.Item>
                ))}
              </ButtonMenu>
            )}
            {removal && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name={removal.kind === 'delete' ? 'trash' : 'link'} size={14} />}
                {...refused(removal.kind === 'delete' ? 'delete' : 'unlink')}
                onClick={() => setChange(removal)}
              >
                {changeTitle(removal)} …
              </Button>
            )}
            <Button size="xs" variant="subtle" onClick={() => chosen.set([])}>
              {text().bulk.clear}
            </Button>
          </Group>
        </section>
      )}
      {change && (
        <Suspense>
          <ChosenDialog
            collection={collection}
            ids={ids}
            chosen={chosen}
            change={change}
            nameOf={nameOf}
            onClose={() => setChange(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
