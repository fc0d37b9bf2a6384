import { contentErrors, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';

type Place = Pick<ProjectRef, 'id' | 'storage'>;

const keyOf = ({ id, storage }: Place): string => `${storage} ${id}`;

interface Gate {
  writers: number;
  isClosed: boolean;
  wakeMover?: () => void;
}

/**
 * Lets writes to a project's repositories on a storage pass side by side, and closes for the moment in which a move to
 * another storage switches over. It stays closed until the old copy is gone, for callers who know of the old place only.
 */
@Injectable()
export class WriteGate {
  private readonly gates = new Map<string, Gate>();

  /** @throws repository_content.read_only while it is closed */
  async write<T>(place: Place, work: () => Promise<T>): Promise<T> {
    const gate = this.gate(place);
    if (gate.isClosed) throw contentErrors.readOnly();
    gate.writers++;
    try {
      return await work();
    } finally {
      gate.writers--;
      if (gate.writers === 0) {
        gate.wakeMover?.();
        if (!gate.isClosed) this.gates.delete(keyOf(place));
      }
    }
  }

  /** Refuses new writes, and waits for those under way. */
  async close(place: Place): Promise<void> {
    const gate = this.gate(place);
    gate.isClosed = true;
    if (gate.writers > 0) {
      await new Promise<void>((resolve) => {
        gate.wakeMover = resolve;
      });
    }
  }

  open(place: Place): void {
    this.gates.delete(keyOf(place));
  }

  private gate(place: Place): Gate {
    const gate = this.gates.get(keyOf(place)) ?? { writers: 0, isClosed: false };
    this.gates.set(keyOf(place), gate);
    return gate;
  }
}
