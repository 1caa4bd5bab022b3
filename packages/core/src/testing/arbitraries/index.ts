export {
  ACTIVITY_VARIANTS,
  type ActivityRow,
  activityColumns,
  activityInstants,
  activityRows,
} from './activity.ts'
export { anyCommand, sensibleCommand } from './commands.ts'
export {
  type ContentEdit,
  contentEdits,
  contentTrees,
  editContent,
  mergeSides,
  NEW_CONTENT,
  SOME_CONTENT,
} from './content.ts'
export {
  type ConversationHistory,
  conversationHistories,
  type HistoryOptions,
  type HistoryStep,
  newConversations,
} from './histories.ts'
export { PINNING, textReply } from './replies.ts'
