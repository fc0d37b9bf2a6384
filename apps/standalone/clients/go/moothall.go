// Package moothall starts a Moothall for tests. See docs/testing-with-moothall.md.
package moothall

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Server is what a server says when it is ready.
type Server struct {
	URL         string `json:"url"`
	Token       string `json:"token"`
	Username    string `json:"username"`
	Password    string `json:"password"`
	SSHPort     int    `json:"ssh_port"`
	RegistryURL string `json:"registry_url"`
	Seed        struct {
		Users    map[string]int `json:"users"`
		Groups   map[string]int `json:"groups"`
		Projects map[string]int `json:"projects"`
		Runners  []struct {
			ID          int    `json:"id"`
			Description string `json:"description"`
			Token       string `json:"token"`
		} `json:"runners"`
	} `json:"seed"`
}

// Start runs the Moothall in folder with a seed, if that is not empty, until the test is over.
func Start(t testing.TB, folder, seed string) Server {
	t.Helper()
	server, stop, err := start(folder, seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return server
}

func start(folder, seed string) (server Server, stop func(), err error) {
	args := []string{filepath.Join(folder, "tools/start.mjs"), "--ephemeral", "--until-eof"}
	if seed != "" {
		args = append(args, "--seed", seed)
	}
	command := exec.Command("node", args...)
	command.Stderr = os.Stderr
	// The server ends when this does.
	if _, err = command.StdinPipe(); err != nil {
		return
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return
	}
	if err = command.Start(); err != nil {
		return
	}
	stop = func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &server)
	}
	if err != nil {
		stop()
		err = fmt.Errorf("Moothall ended at its start: %w", err)
	}
	return
}
