/** The media thread, which dies when it is told to. */

import '../../../voice-runtime/media-thread.ts'

const death = new BroadcastChannel('death of the media thread')
death.addEventListener('message', () => {
  throw new Error('scripted')
})
