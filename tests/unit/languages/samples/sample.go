// Package server serves.
package server

import (
	"fmt"
	log "github.com/x/log"
)

// MaxConns is the limit.
const MaxConns = 10

const (
	A = iota
	B
)

var ErrClosed, ErrOpen = errors.New("closed"), 1

// Server holds connections.
type Server struct {
	Addr string
	mu   sync.Mutex
}

type Handler interface {
	Serve(ctx context.Context) error
}

type ID = string
type HandlerFunc func(int)

// Start begins to listen.
func (s *Server) Start(addr string) error {
	return fmt.Errorf("no %s", addr)
}

func (l List[T]) Len() int { return len(l.items) }

func New() *Server { return &Server{} }
