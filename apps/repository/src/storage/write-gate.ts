import { contentErrors, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';

interface Gate {
  writers: number;
  isClosed: boolean;
  wakeMover?: () => void;
}

/**
 * Lets writes to a project's repositories pass side by side, and closes for the moment in which a move to another
 * storage switches over. It stays closed afterwards: here the repository is no more.
 */
@Injectable()
export class WriteGate {
  private readonly gates = new Map<number, Gate>();

  /** @throws repository_content.read_only while it is closed */
  async write<T>({ id }: Pick<ProjectRef, 'id'>, work: () => Promise<T>): Promise<T> {
    const gate = this.gate(id);
    if (gate.isClosed) throw contentErrors.readOnly();
    gate.writers++;
    try {
      return await work();
    } finally {
      gate.writers--;
      if (gate.writers === 0) {
        gate.wakeMover?.();
        if (!gate.isClosed) this.gates.delete(id);
      }
    }
  }

  /** Refuses new writes, and waits for those under way. */
  async close({ id }: Pick<ProjectRef, 'id'>): Promise<void> {
    const gate = this.gate(id);
    gate.isClosed = true;
    if (gate.writers > 0) {
      await new Promise<void>((resolve) => {
        gate.wakeMover = resolve;
      });
    }
  }

  open({ id }: Pick<ProjectRef, 'id'>): void {
    this.gates.delete(id);
  }

  private gate(id: number): Gate {
    const gate = this.gates.get(id) ?? { writers: 0, isClosed: false };
    this.gates.set(id, gate);
    return gate;
  }
}
