/** A file of this folder: 8 kHz mu-law, to be looped; made by `npm run generate:sounds`. */
export type SoundName =
  | 'city-ambience'
  | 'crowded-room'
  | 'forest-ambience'
  | 'hold_music'
  | 'keyboard-typing'
  | 'keyboard-typing2'
  | 'office-ambience'
