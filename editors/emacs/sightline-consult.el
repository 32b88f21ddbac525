;;; sightline-consult.el --- Live search of Sightline through consult  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `sightline-search' uses this file if consult is installed.  As in every
;; asynchronous command of consult, the input is `#query#filter': the query is
;; sent to the server, the filter narrows its answers.

;;; Code:

(require 'consult)
(require 'sightline)

(declare-function consult--async-split-initial "consult")

(defun sightline-consult--candidates (origin input)
  "The answers to INPUT, a query that was typed for the buffer ORIGIN.
Errors, such as an unknown filter, and the progress of indexing are
shown as a message."
  (when (buffer-live-p origin)
    (with-current-buffer origin
      (condition-case problem
          (let* ((answer (sightline--search input))
                 (coverage (plist-get answer :coverage)))
            (sightline-consult--message (sightline--coverage-note coverage))
            (sightline-consult--answered input (equal (plist-get coverage :state) "indexing"))
            (mapcar #'sightline--hit-candidate (plist-get answer :results)))
        (user-error (sightline-consult--message (error-message-string problem)))))))

(defun sightline-consult--message (text)
  "Show TEXT after the input, unless it is empty; return nil."
  (unless (string-empty-p text)
    (minibuffer-message "%s" text)
    nil))

(defvar sightline-consult--partial nil
  "The query of the listed answers if they came from an incomplete index.")

(defvar sightline-consult--repeated nil
  "The query that was repeated last.")

(defun sightline-consult--answered (input partial)
  "Remember INPUT if its answer is PARTIAL.
Repeat it if the index is complete by now."
  (let ((query (and partial (string-trim input))))
    (setq sightline-consult--partial query)
    (when (and query
               (not (equal query sightline-consult--repeated))
               (slot-value (sightline--server) 'ready))
      (run-at-time 0 nil #'sightline-consult--repeat))))

(defun sightline-consult--repeat (&rest _)
  "Send the query again if its answers came from an incomplete index.
Consult sends an input that has changed, so a space before it is added
or removed."
  (when-let ((query sightline-consult--partial)
             (window (active-minibuffer-window)))
    (setq sightline-consult--partial nil
          sightline-consult--repeated query)
    (with-selected-window window
      (save-excursion
        (goto-char (minibuffer-prompt-end))
        (when (search-forward query nil t)
          (goto-char (match-beginning 0))
          (if (eq (char-before) ?\s) (delete-char -1) (insert " ")))))))

(defun sightline-consult--lookup (selected candidates &rest _)
  "The hit of SELECTED, one of CANDIDATES."
  (consult--lookup-prop 'sightline-hit selected candidates))

(defun sightline-consult--marker (hit open)
  "A marker at HIT in the buffer that OPEN makes of its file."
  (with-current-buffer (funcall open (sightline--path (plist-get hit :uri)))
    (save-restriction
      (save-excursion
        (sightline--goto hit)
        (point-marker)))))

(defun sightline-consult--state ()
  "Preview the selected hit."
  (let ((open (consult--temporary-files))
        (preview (consult--jump-preview)))
    (lambda (action hit)
      (unless hit (funcall open))
      (funcall preview action (and hit (eq action 'preview) (sightline-consult--marker hit open))))))

(defun sightline-consult--initial (text)
  "TEXT as the initial input.
Newer versions of consult add the separator themselves."
  (if (fboundp 'consult--async-split-initial)
      (consult--async-split-initial text)
    text))

(defun sightline-consult-search (&optional initial)
  "Search while you type, beginning with INITIAL, and go to the chosen answer."
  ;; Started here, because starting it while the user types would block the minibuffer.
  (sightline--server)
  (setq sightline-consult--partial nil
        sightline-consult--repeated nil)
  (add-hook 'sightline--ready-hook #'sightline-consult--repeat)
  (let* ((origin (current-buffer))
         (hit (consult--read
               ;; A function of exactly one argument, which consult looks at.
               (consult--dynamic-collection
                (lambda (input) (sightline-consult--candidates origin input)))
               :prompt "Find the code that: "
               :category 'sightline
               :sort nil
               :require-match t
               :history '(:input sightline-history)
               :initial (sightline-consult--initial initial)
               :annotate #'sightline--annotate
               :group #'sightline--group
               :lookup #'sightline-consult--lookup
               :state (sightline-consult--state))))
    (when hit
      (sightline--visit hit))))

(provide 'sightline-consult)
;;; sightline-consult.el ends here
