import { viewKey } from '../../domain/conversation/saved-view.ts'
import type { SavedViewStore } from '../../ports/store/saved-views.ts'
import type { Guarded } from '../guarded.ts'
import { SAVED_VIEW } from '../kinds.ts'
import { namedOver } from './named.ts'

/** Saved views of accounts. */
export const savedViewsOver = (over: Guarded): SavedViewStore => namedOver(over, SAVED_VIEW, viewKey)
