// Watching records.

export class Watch {
  hear() {}

  leave() {}

  lost() {}

  refused() {}

  key() {
    return false;
  }
}
