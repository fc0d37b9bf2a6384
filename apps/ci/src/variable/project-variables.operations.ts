import {
  createProjectVariable,
  deleteProjectVariable,
  getProjectVariable,
  listProjectVariables,
  type ScopedVariable,
  updateProjectVariable,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { VariableOperations, VariableTools } from './variable-operations';

@HandlesEach({
  list: listProjectVariables,
  get: getProjectVariable,
  create: createProjectVariable,
  update: updateProjectVariable,
  delete: deleteProjectVariable,
})
@Controller()
export class ProjectVariableOperations extends VariableOperations<ScopedVariable> {
  constructor(tools: VariableTools) {
    super(tools);
  }
}
