import {
  createProjectVariable,
  deleteProjectVariable,
  getProjectVariable,
  type KeptVariable,
  listProjectVariables,
  updateProjectVariable,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { KeptVariableOperations, KeptVariableTools } from './kept-variable-operations';

@HandlesEach({
  list: listProjectVariables,
  get: getProjectVariable,
  create: createProjectVariable,
  update: updateProjectVariable,
  delete: deleteProjectVariable,
})
@Controller()
export class ProjectVariableOperations extends KeptVariableOperations<KeptVariable> {
  constructor(tools: KeptVariableTools) {
    super(tools);
  }
}
