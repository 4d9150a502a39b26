// @ts-check
/** Notes on nodes: asked for with their log, put, deleted and put back, walked from one to the next. */

/** @import { Id, Note, Room, State } from "../../data/types.js" */

/** The note on a node. @param {Pick<State, "notes">} state @param {Id} id */
export function noteOn({ notes }, id) {
  return notes.find((note) => note.id === id);
}

/** @param {Room} room */
export function createNoteActions({ store, api, loader, walk, attempt, notify }) {
  /** @param {{notes: Note[]} | null} answer */
  function keep(answer) {
    if (answer !== null) store.update({ notes: answer.notes });
  }

  /** @param {Partial<Note> | {id?: Id, path?: string, text: null}} note */
  const put = async (note) => keep(await attempt(() => loader.ask((log) => api.putNote(log, note))));

  store.subscribe(async (state, previous) => {
    if (state.opened !== previous.opened && state.opened !== null) keep(await attempt(() => loader.ask(api.notes)));
  });

  return {
    /** Put a note on a node, in place of the one that it has. @param {Id} id @param {string} text @param {Note["colour"]} colour */
    putNote: (id, text, colour) => put({ id, text, colour }),

    /** Delete a note; a notice offers to put it back. @param {Note} note */
    async deleteNote(note) {
      const { log } = store.get();
      const named = note.id === undefined ? { path: note.path } : { id: note.id };
      await put({ ...named, text: null });
      notify("note", `The note on ${note.path} was deleted.`, {
        label: "Undo",
        press: async () =>
          void (store.get().log === log && (await put(note.id === undefined ? note : { ...note, path: undefined }))),
      });
    },

    /** Go to the next note or the one before, from the selected node on. @param {1 | -1} step */
    async stepNote(step) {
      const ids = store.get().notes.flatMap(({ id }) => (id === undefined ? [] : [id]));
      if (ids.length === 0) return notify("note", "There are no notes yet: press a on a node to put one.");
      const here = ids.indexOf(store.get().selected ?? -1);
      const at = here < 0 ? (step > 0 ? 0 : ids.length - 1) : (here + step + ids.length) % ids.length;
      await walk.goTo(/** @type {Id} */ (ids[at]));
    },

    /** Where the log with its notes is a file. */
    fileWithNotes: () => api.fileOfCopy(store.get().log ?? ""),
  };
}
