/** What can be done here beside the work on records: a button each, or a menu where they are many. */
import { Button, Menu } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Action } from '../model/service/action.ts'
import type { Api } from '../model/service/service.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'

const ActionDialog = lazy(() => import('./action-dialog.tsx'))

/** An action at the place that it is for. */
export interface Doable {
  readonly api: Api
  readonly action: Action
  readonly ids: readonly unknown[]
  readonly subject?: string | undefined
  readonly etag?: string | undefined
}

/** So many stand beside each other. */
const most = 3

export function ActionButtons({ actions }: { readonly actions: readonly Doable[] }) {
  const [chosen, setChosen] = useState<Doable>()
  return (
    <>
      {actions.length <= most ? (
        actions.map((one) => (
          <Button key={one.action.title} size="xs" variant="default" onClick={() => setChosen(one)}>
            {one.action.title}
          </Button>
        ))
      ) : (
        <ButtonMenu
          position="bottom-end"
          button={
            <Button size="xs" variant="default" rightSection={<Icon sign="down" size={12} />}>
              Actions
            </Button>
          }
        >
          {actions.map((one) => (
            <Menu.Item key={one.action.title} onClick={() => setChosen(one)}>
              {one.action.title}
            </Menu.Item>
          ))}
        </ButtonMenu>
      )}
      {chosen && <ActionDialogFor doable={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

/** Fetched when it is first needed. */
export function ActionDialogFor({ doable, onClose }: { readonly doable: Doable; onClose(): void }) {
  return (
    <Suspense>
      <ActionDialog {...doable} onClose={onClose} />
    </Suspense>
  )
}
