import { contentErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { RepositoryLocation } from './storages';

const keyOf = ({ id, storage }: RepositoryLocation): string => `${storage} ${id}`;

interface Gate {
  writers: number;
  isClosed: boolean;
  wakeMover?: () => void;
}

/**
 * Lets writes to a project's repositories on a storage run concurrently, and closes while a move to another storage
 * switches over. It stays closed until the old copy is deleted, for callers that still use the old location.
 */
@Injectable()
export class WriteGate {
  private readonly gates = new Map<string, Gate>();

  /** @throws repository_content.read_only while it is closed */
  async write<T>(location: RepositoryLocation, work: () => Promise<T>): Promise<T> {
    const gate = this.gate(location);
    if (gate.isClosed) throw contentErrors.readOnly();
    gate.writers++;
    try {
      return await work();
    } finally {
      gate.writers--;
      if (gate.writers === 0) {
        gate.wakeMover?.();
        if (!gate.isClosed) this.gates.delete(keyOf(location));
      }
    }
  }

  /** Refuses new writes, and waits for running ones. */
  async close(location: RepositoryLocation): Promise<void> {
    const gate = this.gate(location);
    gate.isClosed = true;
    if (gate.writers > 0) {
      await new Promise<void>((resolve) => {
        gate.wakeMover = resolve;
      });
    }
  }

  open(location: RepositoryLocation): void {
    this.gates.delete(keyOf(location));
  }

  private gate(location: RepositoryLocation): Gate {
    const gate = this.gates.get(keyOf(location)) ?? { writers: 0, isClosed: false };
    this.gates.set(keyOf(location), gate);
    return gate;
  }
}
